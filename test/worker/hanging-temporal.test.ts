import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import '../support/quiet-runtime.js';
import test, { type ExecutionContext } from 'ava';
import { insertCompany } from '../../commands/companies/companies.js';
import { transaction } from '../../db/transaction.js';
import { Backoff } from '../../worker/backoff.js';
import { Dispatcher } from '../../worker/dispatcher.js';
import { OUTBOXES } from '../../worker/outboxes.js';
import { age, CHANGES, newCompany, newInvoice } from '../support/collection-rows.js';
import { withScratchDatabase } from '../support/scratch-database.js';
import { dev } from '../support/stack.js';
import { until } from '../support/until.js';

/**
 * A client of a Temporal that hangs from now on: it accepts connections and requests, and answers nothing.
 */
async function hangingTemporal(t: ExecutionContext): Promise<Client> {
  const sockets: Socket[] = [];
  let hangs = false;
  const [host, port] = dev.temporalAddress.split(':');
  const proxy = createServer((socket) => {
    if (hangs) {
      sockets.push(socket.on('error', () => undefined));
      return;
    }
    const server = connect(Number(port), host);
    sockets.push(socket, server);
    for (const [from, to] of [
      [socket, server],
      [server, socket],
    ] as const)
      from.on('error', () => undefined).pipe(to);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port: own } = proxy.address() as AddressInfo;
  const connection = await NativeConnection.connect({ address: `127.0.0.1:${own}` });
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    await connection.close();
    proxy.close();
  });
  hangs = true;
  for (const socket of sockets) socket.unpipe().pause();
  return new Client({ connection, namespace: dev.temporalNamespace });
}

test('while Temporal hangs, reminders are sent although more charges are due than are handled together', async (t) => {
  const client = await hangingTemporal(t);
  await withScratchDatabase(async (scratch) => {
    const charged = await newCompany(scratch);
    for (const change of [CHANGES.card, CHANGES.autopay])
      await transaction(scratch, (tx) => change(tx, charged));
    for (let n = 0; n < 210; n++) await newInvoice(scratch, charged, -1);
    const outbox = OUTBOXES.find(({ name }) => name === 'collections')!;
    const backoff = new Backoff();
    const dispatcher = new Dispatcher({ db: scratch, client, taskQueue: 'none' }, outbox, backoff);
    await dispatcher.dispatchDue();

    const { workspace_id } = charged;
    const other = await insertCompany(scratch.manager, { workspace_id, name: 'Bolt', payment_terms: 14 });
    const reminded = await newInvoice(scratch, other, 9);
    await age(scratch, reminded, 1);
    const mails = await until(async () => {
      await dispatcher.dispatchDue();
      const sent = await scratch.query(`SELECT invoice_id FROM mails WHERE kind = 'invoice_reminder'`);
      return sent.length > 0 && sent;
    });
    t.deepEqual(mails, [{ invoice_id: reminded }]);

    await dispatcher.settled();
    const ended = backoff.takeErrors().length;
    t.true(ended > 0);
    t.true(ended < 100, `a worker that stops waits for the calls that it has begun, not for ${ended}`);
    const left = await scratch.query(
      `SELECT FROM collections WHERE status <> 'ended' AND notify_at < now() + interval '10 seconds'`,
    );
    t.is(left.length, 210, 'every charge is found again');
  });
});
