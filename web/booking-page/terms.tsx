import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import type { BookingPageTerms } from '../../db/entities/booking-page.js';
import { findTerms } from '../../db/queries/booking-page/booking-page.js';
import { TERMS_TYPE } from '../../domain/rooms/picture.js';
import { wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { showClosed, withPage } from './page.js';

/** Sends the PDF to be shown inline, under a policy that lets it run and load nothing. */
async function sendFile(
  ctx: ApiContext,
  { pictures }: Pick<ApiDependencies, 'pictures'>,
  { version, file_key }: BookingPageTerms,
): Promise<boolean> {
  const file = await pictures?.get(file_key!);
  if (!file) return false;
  ctx.set('Content-Disposition', `inline; filename="terms-${version.replaceAll(/[^\w.-]+/g, '-')}.pdf"`);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
  ctx.set('Cache-Control', 'public, max-age=3600');
  ctx.type = TERMS_TYPE;
  ctx.length = file.bytes;
  ctx.body = file.content;
  return true;
}

/**
 * `GET /book/:slug/terms/:version`: terms that are a text or a PDF, even while the page is switched off.
 * Errors: 404 for a version that is not stored.
 */
export const showTerms = (deps: ApiDependencies): Handler =>
  withPage(
    deps,
    async (ctx, { page }) => {
      const words = wordsIn(ctx);
      const version = ctx.params.version!;
      const terms = version.includes('\0')
        ? null
        : await findTerms(deps.db.manager, page.workspace_id, version);
      if (terms?.text)
        return showPage(ctx, 200, {
          title: words.say('page.terms'),
          children: (
            <>
              <p class="soft">{words.say('page.terms_version', { version })}</p>
              <p class="lines" dir="auto">
                {terms.text}
              </p>
            </>
          ),
        });
      if (terms && (await sendFile(ctx, deps, terms))) return;
      showClosed(ctx, 404, words.say('page.none_here'), <p>{words.say('page.no_such_terms')}</p>);
    },
    { evenIfClosed: true },
  );
