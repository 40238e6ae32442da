import { BOOKING_WORDS } from '../../../domain/bookings/state.js';
import { sentenceCase } from '../../ui/formats.js';
import { SIGNS } from './booking-block.js';

const KINDS = [
  ['closed', 'Closed'],
  ['blackout', 'Blackout'],
  ['buffer', 'Buffer'],
  ['taken', 'Part or whole booked'],
  ['past', 'Past'],
  ['short', 'Too short'],
] as const;

const STATES = ['confirmed', 'pending_payment', 'running', 'completed', 'no_show'] as const;

/** What the signs and patterns mean, in a room's colour, and how the script's grid is used. */
export function Legend({ tone }: { tone: string }) {
  return (
    <>
      <ul class={`key ${tone}`}>
        {STATES.map((state) => (
          <li key={state} class={`slot ${state}`}>
            {SIGNS[state]} {sentenceCase(BOOKING_WORDS[state])}
          </li>
        ))}
        {KINDS.map(([kind, name]) => (
          <li key={kind} class={`part ${kind}`}>
            <span>{name}</span>
          </li>
        ))}
      </ul>
      <dl id="keys" hidden>
        <dt>Drag</dt>
        <dd>Free time to book it, a booking to move it, its edge to change its length</dd>
        <dt>Arrow keys</dt>
        <dd>Move, with Shift select or extend</dd>
        <dt>Space</dt>
        <dd>Pick up a booking</dd>
        <dt>Enter</dt>
        <dd>Review the price</dd>
        <dt>Escape</dt>
        <dd>Cancel</dd>
      </dl>
    </>
  );
}
