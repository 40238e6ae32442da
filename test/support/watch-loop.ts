import { slowness, watchEventLoop } from './longest-block.js';

/** Imported first by a process whose event loop a test watches: see `watched-api.ts`. */
export type Watch = { watch: 'start' | 'read' } | { watch: 'block'; ms: number };

let watching: ReturnType<typeof watchEventLoop> | null = null;

function block(ms: number): void {
  const { threadCpuUsage } = process as unknown as { threadCpuUsage(): NodeJS.CpuUsage };
  const used = (): number => threadCpuUsage().user / 1_000;
  for (const [began, most] = [used(), ms * slowness()]; used() - began < most;);
}

process.on('message', (message: Watch) => {
  if (message.watch === 'start') watching = watchEventLoop();
  if (message.watch === 'block') setImmediate(block, message.ms);
  // Later, so that the measured work has ended.
  setImmediate(() => {
    const longest = message.watch === 'read' ? watching?.read() : undefined;
    process.send?.({ watched: longest ?? 0 });
  });
});
