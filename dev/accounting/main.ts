import { startAccounting } from './server.js';

/** Entry point of the accounting simulator. The launcher and tests start it. */
async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const folder = env['ACCOUNTING_DATA'];
  if (!folder) throw new Error('ACCOUNTING_DATA must name the folder where the simulator keeps its state.');
  const accounting = await startAccounting({
    port: Number(env['ACCOUNTING_PORT'] ?? 0),
    folder,
    clientId: env['XERO_CLIENT_ID'] || 'holdfast',
    clientSecret: env['XERO_CLIENT_SECRET'] || 'holdfast-secret',
    issuer: env['ACCOUNTING_ISSUER'] || undefined,
  });
  const stop = () => void accounting.close().finally(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // The parent process has ended, so nobody could stop this one later.
  process.once('disconnect', stop);
  console.log(`Accounting simulator ready at http://127.0.0.1:${accounting.port}`);
  process.send?.({ ready: true, port: accounting.port });
}

await main(process.env);
