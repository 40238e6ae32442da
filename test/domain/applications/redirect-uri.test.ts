import test from 'ava';
import { isOfSites, toSites } from '../../../domain/applications/redirect-uri.js';

test('the sites of an application are the origins of its web redirect URIs', (t) => {
  const sites = toSites([
    'https://App.example.com:443/callback?a=1',
    'https://app.example.com/other',
    'https://app.example.com:8443/',
    'https://bücher.example/',
    'com.example.app:/callback',
  ]);
  t.deepEqual(sites, [
    'https://app.example.com',
    'https://app.example.com:8443',
    'https://xn--bcher-kva.example',
  ]);
  for (const site of sites) t.true(isOfSites(sites, site), site);
  for (const origin of [
    '',
    'null',
    '*',
    'http://app.example.com',
    'https://app.example.com:444',
    'https://app.example.com/',
    'https://APP.example.com',
    'https://app.example.com.evil.example',
    'https://evil.example#https://app.example.com',
    'com.example.app:',
    'http://localhost:5173',
  ])
    t.false(isOfSites(sites, origin), origin);
});

test('a site on the loopback interface may use any port, but only its own host and plain HTTP', (t) => {
  const allows = (uri: string, origin: string): boolean => isOfSites(toSites([uri]), origin);
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    const uri = `http://${host}:3000/callback`;
    for (const origin of [`http://${host}`, `http://${host}:3000`, `http://${host}:51732`])
      t.true(allows(uri, origin), origin);
    for (const origin of [`https://${host}:3000`, 'http://127.0.0.2:3000', 'http://localhost.evil.example'])
      t.false(allows(uri, origin), origin);
  }
  t.false(allows('http://localhost/callback', 'http://127.0.0.1'));
  t.false(allows('http://127.0.0.1/callback', 'http://localhost'));
  t.false(allows('https://localhost:3000/callback', 'https://localhost:3001'), 'https is no exception');
});
