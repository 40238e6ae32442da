import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import test from 'ava';
import { createDrain } from '../../api/drain.js';

/** A connection to a server like the service's. */
async function open(handle: RequestListener, options = {}): Promise<Socket> {
  const server = createDrain().createServer(options, handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: holdfast.test\r\n\r\n`;

test('requests on one connection are handled one after another, in order', async (t) => {
  let handling = 0;
  const most: number[] = [];
  const socket = await open((request, response) => {
    most.push(++handling);
    setTimeout(() => {
      handling--;
      response.end(request.url);
    }, 5);
  });
  socket.write(['/1', '/2', '/3', '/4'].map(get).join(''));
  let received = '';
  for await (const part of socket as AsyncIterable<Buffer>) {
    received += part.toString();
    if (received.endsWith('/4')) break;
  }
  t.deepEqual(
    received.match(/\r\n\r\n\/\d/g)?.map((body) => body.trim()),
    ['/1', '/2', '/3', '/4'],
  );
  t.deepEqual(most, [1, 1, 1, 1]);
});

test('a connection that sends a hundred more requests before it reads is closed, and none of them is handled later', async (t) => {
  let begun = 0;
  const socket = await open((_, response) => {
    begun++;
    // It never responds.
    response.writeProcessing();
  });
  socket.resume().write(get('/').repeat(150));
  await once(socket, 'close');
  t.is(begun, 1);
});

test('a connection that never reads its response is closed', async (t) => {
  const ended = new Promise<boolean>((resolve) => {
    void open(
      (_, response) => {
        response.once('close', () => resolve(response.writableFinished));
        response.end(Buffer.alloc(20_000_000));
      },
      { idleMs: 200 },
    ).then((socket) => socket.pause().write(get('/')));
  });
  t.false(await ended, 'it was not read');
});
