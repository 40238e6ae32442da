import { Client, Connection } from '@temporalio/client';
import { dev } from './stack.js';

/** The stack's Temporal. A module of its own, for it takes a third of a second to load, and few tests look at it. */
export const temporal = new Client({
  connection: Connection.lazy({ address: dev.temporalAddress }),
  namespace: dev.temporalNamespace,
});
