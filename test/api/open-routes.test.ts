import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import test from 'ava';
import { DAY_MS } from '../../domain/durations.js';
import { LEAN } from '../../dev/launcher/service-parts.js';
import { MAX_PICTURE_BYTES } from '../../domain/rooms/picture.js';
import { client } from '../support/api-client.js';
import { startApi, type ApiProcess } from '../support/api-process.js';
import { once } from '../support/once.js';
import { newPng } from '../support/png.js';
import { dev } from '../support/stack.js';
import { newRoom, newWorkspace, uniqueEmail } from '../support/workspaces.js';
import { OPEN_ROUTES } from './open-routes.js';
import { ROUTES } from './measured-routes.js';

/**
 * The memory that a pod may use (ops/kubernetes/api.yaml), less what other requests need at the same time.
 */
const MOST_MB = 450;
const PIPELINED = 100;
/** A body that every route reads before refusing it. */
const QUOTES = '"'.repeat(1024 * 1024 - 2);

const besideStack = (file: string): string => join(dirname(process.env.HOLDFAST_DEV_JSON!), file);

/** A process behind a proxy with the limits of production, and one almost without limits. */
const limited = once(() =>
  startApi({ TRUSTED_PROXIES: '1', RATE_LIMIT_SCALE: '1', PUBLIC_URL: dev.baseUrl }),
);
const unlimited = () =>
  startApi(
    {
      TRUSTED_PROXIES: '1',
      RATE_LIMIT_SCALE: '100000',
      PICTURES_FOLDER: besideStack('pictures'),
      PUBLIC_URL: dev.baseUrl,
    },
    // As compose.yaml and Kubernetes start it.
    [...LEAN, '--max-old-space-size=400'],
  );

let addresses = 0;
const newAddress = (): string => `100.71.${++addresses >> 8}.${addresses & 255}`;

const routePath = (route: string): string =>
  route.split(' ')[1]!.replace(':file', 'inter-latin.woff2').replaceAll(/:\w+/g, 'none');

function ask(baseUrl: string, route: string, address: string): Promise<Response> {
  const [method] = route.split(' ');
  return fetch(baseUrl + routePath(route), {
    method,
    redirect: 'manual',
    headers: {
      'x-forwarded-for': address,
      origin: dev.baseUrl,
      ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(method === 'POST' && { body: 'a=b' }),
  });
}

/**
 * Whether a route takes publishable keys, which are in the source of websites, and signatures, which can be
 * guessed at.
 */
const hasPublicKey = (route: string): boolean => /^\w+ \/(v1\/public|webhooks)\//.test(route);

/** Whether a route refuses callers without a key and a session. */
const isClosed = ({ status, headers }: Response): boolean =>
  status === 401 || (status === 302 && headers.get('location')!.startsWith('/sign-in'));

test('the list of routes that need no key and no session is complete', async (t) => {
  const { baseUrl } = await limited();
  const open = [];
  for (const { route } of ROUTES) {
    const response = await ask(baseUrl, route, newAddress());
    await response.arrayBuffer();
    if (!isClosed(response) || hasPublicKey(route)) open.push(route);
  }
  t.deepEqual(open.toSorted(), Object.keys(OPEN_ROUTES).toSorted());
});

const counted = Object.entries(OPEN_ROUTES).filter(([, { counts }]) => counts !== 'nothing');

test('each open route refuses an address that sends too many requests', async (t) => {
  const { baseUrl } = await limited();
  for (const [route] of counted) {
    const address = newAddress();
    const statuses: number[] = [];
    while (statuses.length < 200 && !statuses.includes(429)) {
      const responses = await Promise.all(Array.from({ length: 20 }, () => ask(baseUrl, route, address)));
      for (const response of responses) {
        await response.arrayBuffer();
        statuses.push(response.status);
      }
    }
    t.true(statuses.includes(429), `${route}: ${statuses.join(' ')}`);
  }
});

/** The most bytes of an uncounted response: of a font, which is read once into memory, and of any other. */
const most = (route: string): number => (route === 'GET /fonts/:file' ? 100_000 : 10_000);

test('uncounted responses are small, the same for everyone, and cacheable', async (t) => {
  const { baseUrl } = await limited();
  for (const [route, { counts }] of Object.entries(OPEN_ROUTES)) {
    if (counts !== 'nothing') continue;
    const response = await ask(baseUrl, route, newAddress());
    const { byteLength } = await response.arrayBuffer();
    t.true(byteLength < most(route), `${route}: ${byteLength}`);
    t.regex(response.headers.get('cache-control')!, /^public, max-age=/, route);
  }
});

/** The peak memory of a process since it started, in MB. */
const peakMemory = ({ child }: ApiProcess): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;

/** A request as it is sent, with the largest body that is read. */
function requestFor(route: string, path = routePath(route), body = QUOTES, address = newAddress()): Buffer {
  const [method] = route.split(' ');
  const content = method === 'POST' ? body : '';
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: holdfast.test',
    `x-forwarded-for: ${address}`,
    `origin: ${dev.baseUrl}`,
    ...(content
      ? ['content-type: application/x-www-form-urlencoded', `content-length: ${content.length}`]
      : []),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${content}`);
}

/**
 * Sends requests on one connection without waiting for responses, and reads all responses. Returns their
 * number.
 */
function pipeline(baseUrl: string, request: Buffer, count: number): Promise<number> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    let responses = 0;
    let tail = '';
    socket.on('data', (chunk) => {
      const text = tail + chunk.toString('latin1');
      responses += text.split('HTTP/1.1 ').length - 1;
      tail = text.slice(-8);
      if (responses >= count) socket.end();
    });
    socket.on('error', () => socket.destroy());
    socket.once('close', () => resolve(responses));
    for (let n = 0; n < count; n++) socket.write(request);
  });
}

/** A workspace with a booking page and a room with a picture. */
async function setUp() {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const picture = newPng(MAX_PICTURE_BYTES - newPng(0).length);
  const { body } = await api.post(`/v1/rooms/${room.id}/pictures`, picture, { 'content-type': 'image/png' });
  const slug = `house-${randomUUID().slice(0, 8)}`;
  await api.put('/v1/booking-page', { slug, terms: { version: '1', text: 'Be kind.' } });
  const path = new URL(body.image_urls[0]!).pathname;
  const start = new Date(Date.now() + 20 * DAY_MS).toISOString();
  const time = { minutes: '60', key: randomUUID() };
  const objects: Record<string, string> = {
    ':slug': slug,
    ':room': room.id,
    ':version': '1',
    ':file': 'inter-latin.woff2',
    '/pictures/:key': path,
    '/details': `/details?${new URLSearchParams({ start, ...time })}`,
  };
  return {
    picture: { path, bytes: picture.length },
    /** The path of a route to existing objects. */
    pathTo: (route: string): string =>
      Object.entries(objects)
        .reduce((all, [of, to]) => all.replace(of, to), route.split(' ')[1]!)
        .replaceAll(/:\w+/g, 'none'),
    /** The form that books a room, with a name as long as a form may be. */
    details:
      `${new URLSearchParams({ slot: `${start}|3000`, ...time, email: uniqueEmail() })}&name=` +
      `${'"'.repeat(255_000)}`,
  };
}

test('a client that pipelines its requests gets all responses, and exhausts no memory', async (t) => {
  const { pathTo, details } = await setUp();
  const api = await unlimited();
  try {
    const peaks: string[] = [];
    for (const route of Object.keys(OPEN_ROUTES)) {
      const request = requestFor(route, pathTo(route), route.endsWith('/details') ? details : QUOTES);
      const count = route.startsWith('POST') ? 20 : PIPELINED;
      const responses = await pipeline(api.baseUrl, request, count);
      peaks.push(`${route} ${responses} responses, ${Math.round(peakMemory(api))} MB`);
      t.is(responses, count, route);
    }
    writeFileSync(besideStack('open-routes.txt'), `${peaks.join('\n')}\n`);
    t.true(peakMemory(api) < MOST_MB, peaks.join('\n'));
  } finally {
    api.stop();
  }
});

/** A connection that sends a request and does not read the response. */
function stall(baseUrl: string, request: Buffer): Promise<Socket> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname, () => socket.write(request, () => resolve(socket)));
    socket.pause().on('error', () => socket.destroy());
  });
}

test('clients that do not read take no memory, and don’t delay others', async (t) => {
  const { picture, pathTo } = await setUp();
  const api = await unlimited();
  const stalled: Socket[] = [];
  const stallAll = async (route: string, count: number, address = newAddress()): Promise<void> => {
    const request = requestFor(route, pathTo(route), '', address);
    const sockets = Array.from({ length: count }, () => stall(api.baseUrl, request));
    stalled.push(...(await Promise.all(sockets)));
  };
  const read = async (by: string): Promise<number> => {
    const response = await fetch(api.baseUrl + picture.path, { headers: { 'x-forwarded-for': by } });
    return (await response.arrayBuffer()).byteLength;
  };
  try {
    // As many as an address may send in a minute.
    for (const route of Object.keys(OPEN_ROUTES)) if (route.startsWith('GET ')) await stallAll(route, 60);
    const reader = newAddress();
    await stallAll('GET /pictures/:key', 60, reader);
    for (let n = 0; n < 20; n++) t.is(await read(newAddress()), picture.bytes);
    t.true(peakMemory(api) < MOST_MB, `${peakMemory(api)}`);
    for (const socket of stalled) socket.destroy();
    t.is(await read(reader), picture.bytes, 'its own turn comes once the others are gone');
  } finally {
    for (const socket of stalled) socket.destroy();
    api.stop();
  }
});

test('only a few uploads are accepted at a time', async (t) => {
  const api = await unlimited();
  try {
    const workspaces = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const workspace = await newWorkspace();
        return { room: await newRoom(workspace.api), own: client(workspace.api.token, api.baseUrl) };
      }),
    );
    const large = () => newPng(MAX_PICTURE_BYTES - newPng(0).length);
    const sent = await Promise.all(
      workspaces.flatMap(({ own, room }) =>
        Array.from({ length: 10 }, () =>
          own.post(`/v1/rooms/${room.id}/pictures`, large(), { 'content-type': 'image/png' }),
        ),
      ),
    );
    const statuses = new Set(sent.map(({ status }) => status));
    t.deepEqual([...statuses].toSorted(), [201, 429]);
    t.true(peakMemory(api) < MOST_MB, `${peakMemory(api)}`);
  } finally {
    api.stop();
  }
});
