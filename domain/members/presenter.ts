import { monthlyHours, type Plans } from './plans.js';
import type { Metadata } from '../metadata.js';
import type { Role } from '../policies.js';
import type { Tier } from '../rates/price.js';
import type { MemberStatus } from '../states.js';
import { iso } from '../iso.js';
import { presentPayer, type PayerFacts } from '../invoices/payer-presenter.js';
import type { Language } from '../words/languages.js';

/** The input of `presentMember`: the membership's row with its company. */
export interface MemberFacts extends PayerFacts {
  id: string;
  profile_id: string;
  name: string;
  email: string;
  tier: Tier;
  plans: Plans;
  status: MemberStatus;
  role: Role;
  billed: boolean;
  locale: Language | null;
  company_id: string | null;
  company_name: string | null;
  joined_at: Date | null;
  hour_credit_balance: number;
  trial_ends_at: Date | null;
  pending_tier: Tier | null;
  pending_tier_at: Date | null;
  metadata: Metadata;
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * A member as the API returns it and events contain it (docs/rules/members.md). `tokens` are hour credits.
 */
export function presentMember(member: MemberFacts) {
  return {
    id: member.id,
    name: member.name,
    email: member.email,
    tier: member.tier,
    status: member.status,
    role: member.role,
    billed: member.billed,
    locale: member.locale,
    company: member.company_id ? { id: member.company_id, name: member.company_name! } : null,
    joined_at: iso(member.joined_at),
    tokens: { balance: member.hour_credit_balance, monthly_grant: monthlyHours(member.plans, member.tier) },
    trial_ends_at: iso(member.trial_ends_at),
    pending_tier: member.pending_tier,
    pending_tier_at: iso(member.pending_tier_at),
    ...presentPayer(member),
    metadata: member.metadata,
    archived_at: iso(member.archived_at),
    created_at: member.created_at.toISOString(),
    updated_at: member.updated_at.toISOString(),
  };
}

export type PresentedMember = ReturnType<typeof presentMember>;

/** A member with `expand=profile`. Apart from the profile's id, nothing in it depends on other workspaces. */
export function presentMemberWithProfile(member: MemberFacts) {
  return {
    ...presentMember(member),
    profile: {
      id: member.profile_id,
      email: member.email,
      name: member.name,
      created_at: member.created_at.toISOString(),
    },
  };
}
