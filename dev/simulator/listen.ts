import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on a port of the loopback interface, 0 for any free one. Returns the port. */
export async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
