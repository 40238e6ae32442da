import { Client, Connection } from '@temporalio/client';
import { dev } from './stack.js';

/** Client of the stack's Temporal server. A separate module because it is slow to load and few tests need it. */
export const temporal = new Client({
  connection: Connection.lazy({ address: dev.temporalAddress }),
  namespace: dev.temporalNamespace,
});
