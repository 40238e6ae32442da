// Loaded by every process of `npm test`: source maps of the project only, and none for the service, which formats stack traces
// itself (stack-traces.ts). With those of the packages (the default of
// --enable-source-maps, and all that Node 20 has) each start takes a tenth longer.
import module from 'node:module';

const isService = /\bbuild\/(api|worker|deploy)\//.test(process.argv[1] ?? '');
if (!isService) module.setSourceMapsSupport?.(true, { nodeModules: false });
