import { DAY_MS } from '../../../../domain/durations.js';
import type { FromPrice } from '../../../../domain/rates/from-price.js';
import type { Range } from '../../../../domain/bookings/slots.js';
import type { Turn } from '../../../http/turns.js';

/**
 * The lowest price of the shortest booking in each free window, in minor units; null if none fits or the
 * price is not known. Other requests run in between: a room with a hundred rates takes long the first time.
 */
export async function leastPrices(
  windows: Range[],
  fromPrice: FromPrice | null,
  turn: Turn,
): Promise<(number | null)[]> {
  if (!fromPrice) return windows.map(() => null);
  const prices: (number | null)[] = [];
  for (const { start, end } of windows) {
    let least: number | null = null;
    for (let at = start; at < end; at += DAY_MS) {
      const price = fromPrice({ start: at, end: Math.min(end, at + DAY_MS) }, end);
      if (price !== null && (least === null || price < least)) least = price;
      if (turn.isDue()) await turn();
    }
    prices.push(least);
  }
  return prices;
}
