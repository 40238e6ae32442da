import module from 'node:module';

/*
 * For `node --import`: stack traces show lines of the sources. `--enable-source-maps` would also keep the
 * source maps of packages, which take 10 to 15 MB in each process.
 */
module.setSourceMapsSupport(true, { nodeModules: false });
