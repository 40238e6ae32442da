import joi from 'joi';
import type { Extra } from '../../db/entities/extras.js';
import { listExtras } from '../../db/queries/extras/extra.js';
import type { Tx } from '../../db/transaction.js';
import { MAX_EXTRAS, type ExtraRequest, type ExtraUnit } from '../../domain/extras/extras.js';
import { extrasIn, type Pricing } from '../../domain/rates/price-lines.js';
import type { Words } from '../../domain/words/words.js';
import { useWords } from './language.js';

const MAX_OFFERED = 100;

export const UNITS: Record<ExtraUnit, string> = {
  booking: 'per booking',
  hour: 'per hour',
  attendee: 'per person',
  piece: 'each',
};

const list = joi
  .array()
  .items(joi.string().max(36).allow(''))
  .single()
  .max(MAX_OFFERED + MAX_EXTRAS)
  .default([]);

/** The fields of `ExtraInputs`: the extra of each row, and its quantity. */
export const extraFields = { extra_id: list, extra_quantity: list };

export interface EnteredExtras {
  extra_id: string[];
  extra_quantity: string[];
}

/** The extras that were entered; what is no number is left for the operation to refuse. */
export const extrasEntered = ({ extra_id, extra_quantity }: EnteredExtras): ExtraRequest[] =>
  extra_id.flatMap((id, row) => {
    const entered = (extra_quantity[row] ?? '').trim();
    const quantity = /^\d{1,9}$/.test(entered) ? Number(entered) : entered;
    return quantity === '' || quantity === 0 ? [] : [{ extra_id: id, quantity: quantity as number }];
  });

/** The extras in what a form has submitted. */
export function submittedExtras(form: Record<string, string | string[] | undefined>): EnteredExtras {
  const [extra_id = [], extra_quantity = []] = [form.extra_id, form.extra_quantity].map((value) =>
    [value ?? []].flat().map(String),
  );
  return { extra_id, extra_quantity };
}

/** The extras that can be booked with a room in a currency; for staff, including internal ones. */
export async function offeredExtras(
  tx: Tx,
  room: { workspace_id: string; id: string; currency: string },
  { by_staff }: { by_staff: boolean },
): Promise<Extra[]> {
  const extras = await listExtras(tx, {
    workspace_id: room.workspace_id,
    room_id: room.id,
    include_archived: false,
    only_public: !by_staff,
    limit: MAX_OFFERED,
  });
  return extras.filter(({ currency }) => currency === room.currency);
}

interface Row {
  id: string;
  label: string;
  value: string;
}

/**
 * The extras to choose from, with submitted or booked quantities. Includes booked extras that are no longer
 * offered. `amount`: formats an amount.
 */
export function extraRows(
  words: Words,
  offered: Pick<Extra, 'id' | 'name' | 'unit' | 'price_minor' | 'currency'>[],
  {
    booked = null,
    submitted,
    amount,
  }: {
    booked?: { pricing: Pricing | null; currency: string } | null;
    submitted?: EnteredExtras;
    amount: (minor: number, currency: string) => string;
  },
): Row[] {
  const has = booked ? extrasIn(booked) : [];
  const fieldValue = (id: string): string => {
    const row = submitted?.extra_id.indexOf(id) ?? -1;
    if (row >= 0) return submitted!.extra_quantity[row] ?? '';
    return submitted ? '' : String(has.find(({ extra_id }) => extra_id === id)?.quantity ?? '');
  };
  const priceLabel = (name: string, price: string, unit: ExtraUnit): string =>
    `${name}, ${words.say(`payer.price_per_${unit}`, { price })}`;
  const kept = has.filter(({ extra_id }) => !offered.some(({ id }) => id === extra_id));
  return [
    ...kept.map(({ extra_id: id, name, unit, unit_amount_minor }) => ({
      id,
      label: priceLabel(name, amount(unit_amount_minor, booked!.currency), unit),
      value: fieldValue(id),
    })),
    ...offered.map(({ id, name, unit, price_minor, currency }) => {
      const terms = has.find(({ extra_id }) => extra_id === id);
      const price = amount(terms?.unit_amount_minor ?? price_minor, currency);
      return { id, label: priceLabel(name, price, unit), value: fieldValue(id) };
    }),
  ];
}

/** A number for each extra that can be chosen; empty for none. Nothing without extras. */
export function ExtraInputs({ rows }: { rows: Row[] }) {
  const words = useWords();
  if (rows.length === 0) return null;
  return (
    <fieldset id="extras" class="extras">
      <legend>{words.say('payer.extras_without_tax')}</legend>
      {rows.map(({ id, label, value }) => (
        <div key={id}>
          <input type="hidden" name="extra_id" value={id} />
          <label for={`extra-${id}`}>{label}</label>
          <input
            type="number"
            id={`extra-${id}`}
            name="extra_quantity"
            min="0"
            max="10000"
            inputMode="numeric"
            value={value}
          />
        </div>
      ))}
    </fieldset>
  );
}
