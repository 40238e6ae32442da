import { DefaultLogger, Runtime } from '@temporalio/worker';

/**
 * Workers of tests log errors only. A process has one runtime, which the files that share it install here.
 */
Runtime.install({ logger: new DefaultLogger('ERROR') });
