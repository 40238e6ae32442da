import { chromium, type Browser } from 'playwright-core';

const FLAGS =
  '--no-sandbox --disable-gpu --disable-software-rasterizer --disable-quic --no-first-run ' +
  '--disable-background-networking --disable-component-update --disable-sync';

let browser: Promise<Browser> | undefined;

/**
 * The browser of this process. It ends with the process. Files that share it use separate browser contexts.
 */
export const launchBrowser = (): Promise<Browser> =>
  (browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: FLAGS.split(' '),
  }));
