// Loaded by every process of `npm test`: source maps of the project only. With those of the packages (the default of
// --enable-source-maps, and all that Node 20 has) each start takes a tenth longer.
import module from 'node:module';

module.setSourceMapsSupport?.(true, { nodeModules: false });
