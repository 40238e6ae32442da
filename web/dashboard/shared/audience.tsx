import joi from 'joi';
import { TIERS } from '../../../domain/price.js';
import { AUDIENCES, type RateAudience } from '../../../domain/rates.js';
import { optionsOf, sentenceCase } from '../../ui/formats.js';
import { repeated } from '../rooms/room-change.js';
import { Choices, Select } from './fields.js';

/** The fields of a form with which its audience is chosen: whom a rate or a code is for. */
export const audienceFields = { kind: joi.valid(...AUDIENCES).required(), tiers: repeated };

export interface AudienceForm {
  kind: RateAudience['kind'];
  tiers: NonNullable<RateAudience['tiers']>;
}

/** The audience of a form as the API takes it. `before`: the one that it changes; null for a new one. */
export function audienceEntered({ kind, tiers }: AudienceForm, before: RateAudience | null): RateAudience {
  const isForMembers = kind === 'members';
  return {
    kind,
    tiers: isForMembers && tiers.length > 0 ? tiers : null,
    // Companies are chosen with the API; the form keeps them.
    company_ids: isForMembers ? (before?.company_ids ?? null) : null,
  };
}

/** Whom something is for. */
export const AudienceSelect = ({ of }: { of: RateAudience | undefined }) => (
  <Select
    name="kind"
    label="For"
    options={AUDIENCES.map((kind) => [kind, sentenceCase(kind)] as const)}
    chosen={[of?.kind ?? 'everyone']}
  />
);

/** Which members something for members is for. */
export const AudiencePlans = ({ of }: { of: RateAudience | undefined }) => (
  <Choices
    name="tiers"
    label="Of members, these plans (none = all)"
    options={optionsOf(TIERS)}
    chosen={of?.tiers ?? []}
  />
);
