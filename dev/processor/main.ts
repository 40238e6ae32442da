import { startProcessor } from './server.js';

/** Entry point of the payment processor simulator. The launcher and tests start it. */
async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const folder = env['PROCESSOR_DATA'];
  if (!folder) throw new Error('PROCESSOR_DATA must name the folder where the simulator keeps its state.');
  const processor = await startProcessor({
    port: Number(env['PROCESSOR_PORT'] ?? 0),
    folder,
    webhookUrl: env['PROCESSOR_WEBHOOK_URL'] || null,
    secretKey: env['STRIPE_SECRET_KEY'] || 'sk_test_holdfast',
    webhookSecrets: {
      ...(env['STRIPE_PLATFORM_WEBHOOK_SECRET'] && { platform: env['STRIPE_PLATFORM_WEBHOOK_SECRET'] }),
      ...(env['STRIPE_CONNECT_WEBHOOK_SECRET'] && { connect: env['STRIPE_CONNECT_WEBHOOK_SECRET'] }),
    },
  });
  const stop = () => void processor.close().finally(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // The parent process has ended, so nobody could stop this one later.
  process.once('disconnect', stop);
  console.log(`Payment processor simulator ready at http://127.0.0.1:${processor.port}`);
  process.send?.({ ready: true, port: processor.port });
}

await main(process.env);
