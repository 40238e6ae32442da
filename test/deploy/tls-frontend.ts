import { readFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';

/** A certificate or key from `test/deploy/certificates`, which are only for tests. */
export const certificate = (name: string): string => join('test', 'deploy', 'certificates', name);

/**
 * A TLS frontend of a Temporal server that requires a client certificate, as in a private cluster. Its own
 * certificate is for `temporal.test`, from a private authority.
 */
export async function startTlsFrontend(target: string): Promise<{
  address: string;
  accepted(): number;
  close(): Promise<void>;
}> {
  const [host, port] = target.split(':');
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer(
    {
      key: readFileSync(certificate('server.key')),
      cert: readFileSync(certificate('server.pem')),
      ca: readFileSync(certificate('ca.pem')),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    (socket) => {
      accepted++;
      const upstream = connect(Number(port), host);
      for (const each of [socket, upstream]) {
        sockets.add(each);
        each.on('error', () => {
          socket.destroy();
          upstream.destroy();
        });
      }
      socket.pipe(upstream).pipe(socket);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted: () => accepted,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
