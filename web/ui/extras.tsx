import joi from 'joi';
import type { Extra } from '../../db/entities/extras.js';
import { findInternal, listExtras } from '../../db/queries/extras/extra.js';
import type { Tx } from '../../db/transaction.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import {
  MAX_EXTRAS,
  type BookedExtra,
  type ExtraRequest,
  type ExtraUnit,
} from '../../domain/extras/extras.js';
import { addTax, findTaxRate } from '../../domain/rates/entered-price.js';
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

/** The extras that were entered. A quantity that is not a number is passed on for the operation to reject. */
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

export interface OfferedExtra extends Extra {
  tax_rate_bps: number;
}

/**
 * The extras of a workspace that can be booked, with a room in a currency if there is one; for staff,
 * including internal ones.
 */
export async function offeredExtras(
  tx: Tx,
  room: { workspace_id: string; id?: string; currency?: string },
  { by_staff }: { by_staff: boolean },
): Promise<OfferedExtra[]> {
  const extras = await listExtras(tx, {
    workspace_id: room.workspace_id,
    room_id: room.id,
    include_archived: false,
    only_public: !by_staff,
    limit: MAX_OFFERED,
  });
  const offered = extras.filter(({ currency }) => currency === (room.currency ?? currency));
  if (offered.length === 0) return [];
  const { tax_codes } = (await findWorkspace(tx, room.workspace_id))!;
  return offered.map((extra) => ({ ...extra, tax_rate_bps: findTaxRate(tax_codes, extra.tax_code) ?? 0 }));
}

/** The extras of a booking that only staff can change; none for staff. */
export const extrasKept = async (
  tx: Tx,
  booking: { workspace_id: string; pricing: Pricing | null },
  { by_staff }: { by_staff: boolean },
): Promise<string[]> =>
  by_staff
    ? []
    : findInternal(
        tx,
        booking.workspace_id,
        extrasIn(booking).map(({ extra_id }) => extra_id),
      );

interface Row {
  id: string;
  /** With the price of one unit, tax included. */
  label: string;
  isTaxed: boolean;
  value: string;
  /** It is booked and cannot be changed. */
  isKept?: true;
}

/**
 * The extras to choose from, with submitted or booked quantities. Includes booked extras that are no longer
 * offered. `kept`: those that cannot be changed. `amount`: formats an amount.
 */
export function extraRows(
  words: Words,
  offered: Pick<OfferedExtra, 'id' | 'name' | 'unit' | 'price_minor' | 'currency' | 'tax_rate_bps'>[],
  {
    booked = null,
    kept = [],
    submitted,
    amount,
  }: {
    booked?: { pricing: Pricing | null; currency: string } | null;
    kept?: readonly string[];
    submitted?: EnteredExtras;
    amount: (minor: number, currency: string) => string;
  },
): Row[] {
  const has = booked ? extrasIn(booked) : [];
  const bookedQuantity = (id: string): string =>
    String(has.find(({ extra_id }) => extra_id === id)?.quantity ?? '');
  const fieldValue = (id: string): string => {
    if (!submitted) return bookedQuantity(id);
    const row = submitted.extra_id.indexOf(id);
    return row < 0 ? '' : (submitted.extra_quantity[row] ?? '');
  };
  const extraRow = (
    of: { id: string; name: string; unit: ExtraUnit; currency: string },
    { unit_amount_minor, tax_rate_bps }: Pick<BookedExtra, 'unit_amount_minor' | 'tax_rate_bps'>,
  ): Row => {
    const price = amount(addTax(unit_amount_minor, tax_rate_bps, of.currency), of.currency);
    const label = `${of.name}, ${words.say(`payer.price_per_${of.unit}`, { price })}`;
    const row = { id: of.id, label, isTaxed: tax_rate_bps > 0 };
    return kept.includes(of.id)
      ? { ...row, value: bookedQuantity(of.id), isKept: true }
      : { ...row, value: fieldValue(of.id) };
  };
  const others = has.filter(({ extra_id }) => !offered.some(({ id }) => id === extra_id));
  return [
    ...others.map((extra) => extraRow({ ...extra, id: extra.extra_id, currency: booked!.currency }, extra)),
    ...offered.map((extra) => {
      const terms = has.find(({ extra_id }) => extra_id === extra.id);
      return extraRow(extra, terms ?? { ...extra, unit_amount_minor: extra.price_minor });
    }),
  ];
}

/** A number for each extra, empty for none; as text for one that is kept. Nothing without extras. */
export function ExtraInputs({ rows }: { rows: Row[] }) {
  const words = useWords();
  if (rows.length === 0) return null;
  return (
    <fieldset id="extras" class="extras">
      <legend>
        {words.say('payer.extras')}{' '}
        {rows.some(({ isTaxed }) => isTaxed) && <small>{words.say('page.with_tax')}</small>}
      </legend>
      {rows.map(({ id, label, value, isKept }) => (
        <div key={id}>
          <input type="hidden" name="extra_id" value={id} />
          {isKept ? (
            <>
              <span>{label}</span>
              <span>{value}</span>
              <input type="hidden" name="extra_quantity" value={value} />
            </>
          ) : (
            <>
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
            </>
          )}
        </div>
      ))}
    </fieldset>
  );
}
