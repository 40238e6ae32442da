import module from 'node:module';

/** Node 22.14 and later. The types are for the minimum version of Node. */
const { setSourceMapsSupport } = module as { setSourceMapsSupport?(on: boolean, options: object): void };

/*
 * For `node --import`: stack traces show lines of the sources. `--enable-source-maps` would also keep the
 * source maps of packages, which take 10 to 15 MB in each process.
 */
if (setSourceMapsSupport) setSourceMapsSupport(true, { nodeModules: false });
else process.setSourceMapsEnabled(true);
