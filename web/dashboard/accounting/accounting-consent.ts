import { bindConsent } from '../../../commands/accounting/consents.js';
import { PageError } from '../../ui/browser.js';
import { Elsewhere, page } from '../forms/page.js';

/**
 * Sends an admin to the accounting system's consent page, and binds the consent to their session, which must
 * return from it (docs/rules/accounting.md#connection).
 */
export const consentPage = page({
  path: '/accounting/:consent',
  capability: 'write_workspace',
  title: 'Accounting',
  async load({ ctx, caller: { workspace_id }, params }, { db }) {
    const consent = { id: params.consent!, workspace_id };
    const url = consent.id.includes('\0')
      ? null
      : await bindConsent(db.manager, consent, ctx.state.session!.id_hash);
    if (url) throw new Elsewhere(url);
    throw new PageError(
      410,
      'This link is no longer valid',
      'Links are valid for one hour, in the browser that opened them first. Create a new one.',
    );
  },
  view: () => null,
});
