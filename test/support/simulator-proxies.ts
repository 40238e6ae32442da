import { reservePorts } from '../../dev/launcher/ports.js';
import type { PortName } from '../../dev/launcher/settings.js';
import { startFaultProxy } from './fault-proxy.js';

/**
 * Starts the proxies through which the service reaches the simulators, so that tests can inject faults in
 * between. Returns the ports that the simulators must use, and the service's environment.
 */
export async function startProxies(): Promise<{
  ports: Pick<Record<PortName, number>, 'PROCESSOR_PORT' | 'ACCOUNTING_PORT'>;
  env: Record<string, string>;
}> {
  const free = (variable: PortName) => ({ variable, port: 0 });
  const [processor, accounting] = await reservePorts([free('PROCESSOR_PORT'), free('ACCOUNTING_PORT')]);
  const { url } = await startFaultProxy(`http://127.0.0.1:${processor}`, 'stripe-account');
  const xero = await startFaultProxy(`http://127.0.0.1:${accounting}`, 'xero-tenant-id');
  return {
    ports: { PROCESSOR_PORT: processor!, ACCOUNTING_PORT: accounting! },
    env: { STRIPE_API_URL: url, XERO_API_URL: xero.url, XERO_ISSUER: xero.url },
  };
}
