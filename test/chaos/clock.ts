import { readFileSync } from 'node:fs';

const READ_EVERY_MS = 100;

/** Shifts the clock of this process by the milliseconds in a file, which it rereads from time to time. */
export function shiftClock(file: string): void {
  let offset = 0;
  setInterval(() => {
    try {
      offset = Number(readFileSync(file, 'utf8'));
    } catch {
      // Not written yet.
    }
  }, READ_EVERY_MS).unref();
  const Real = Date;
  const now = (): number => Real.now() + offset;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, self) => Reflect.construct(target, args.length > 0 ? args : [now()], self),
    get: (target, property, self) => (property === 'now' ? now : Reflect.get(target, property, self)),
  });
}
