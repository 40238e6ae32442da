import type { Page, Section } from '../shared/section.js';
import { seesOverview } from '../shared/navigation.js';
import { showMembership } from '../members/membership/membership.js';
import { showOverview } from './overview.js';

/** The first page of a workspace: for members without other rights their own place in it. */
const showHome: Page = (deps) => {
  const [overview, own] = [showOverview(deps), showMembership(deps)];
  return (ctx, next) => (seesOverview(ctx.state.membership!.role) ? overview : own)(ctx, next);
};

export const overview: Section = [{ path: '', show: showHome }];
