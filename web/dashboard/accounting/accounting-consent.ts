import { bindConsent } from '../../../commands/accounting/consents.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { PageError } from '../../ui/browser.js';

/**
 * `GET /dashboard/:workspace/accounting/:consent`: sends an admin to the accounting system's consent page,
 * and binds the consent to their session, which must return from it (docs/rules/accounting.md#connection).
 */
export function openConsentPage({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const consent = { id: ctx.params.consent!, workspace_id };
    const url = consent.id.includes('\0')
      ? null
      : await bindConsent(db.manager, consent, ctx.state.session!.id_hash);
    if (!url)
      throw new PageError(
        410,
        'This link is no longer valid',
        'Links are valid for one hour, in the browser that opened them first. Create a new one.',
      );
    ctx.redirect(url);
  };
}
