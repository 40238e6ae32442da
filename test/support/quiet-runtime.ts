import { DefaultLogger, Runtime } from '@temporalio/worker';

/**
 * Workers in tests log only errors. A process has one runtime, which the files that share it install here.
 */
Runtime.install({ logger: new DefaultLogger('ERROR') });
