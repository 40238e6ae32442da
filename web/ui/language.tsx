import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiDependencies } from '../../api/dependencies.js';
import { isHttps } from '../../api/http/client.js';
import type { ApiContext, Handler, Branding } from '../../api/http/context.js';
import { DAY_MS } from '../../domain/durations.js';
import {
  isLanguage,
  LANGUAGE_NAMES,
  LANGUAGES,
  preferredLanguage,
  type Language,
} from '../../domain/words/languages.js';
import { ENGLISH, getWords, type Words } from '../../domain/words/words.js';

const COOKIE = 'holdfast_language';
const COOKIE_DAYS = 365;

/** The language of a page's components. */
const WordsContext = createContext<Words>(ENGLISH);
export const WordsProvider = WordsContext.Provider;
export const useWords = (): Words => useContext(WordsContext);

/** The words of a page; English for staff. */
export const wordsIn = (ctx: ApiContext): Words => ctx.state.words ?? ENGLISH;

/** The language that the address of a page names; null for none that we have. */
export const chosenIn = (ctx: ApiContext): Language | null => {
  const { lang } = ctx.query;
  return isLanguage(lang) && offeredIn(ctx).includes(lang) ? lang : null;
};

const offeredIn = (ctx: ApiContext): readonly Language[] => ctx.state.languages ?? LANGUAGES;

/**
 * Decides the language of a payer's page (docs/rules/languages.md): the one that its address names, or that
 * was chosen before in this browser; then the payer's `own`, the browser's, and the workspace's.
 */
function chooseWords(ctx: ApiContext, own: Language | null, workspaceLanguage: Language): void {
  const offered = offeredIn(ctx);
  const kept = ctx.cookies.get(COOKIE);
  const wanted = [chosenIn(ctx), kept, own].find((each) => isLanguage(each) && offered.includes(each));
  const browsers = preferredLanguage(ctx.get('accept-language'), offered);
  const last = offered.includes(workspaceLanguage) ? workspaceLanguage : offered[0]!;
  ctx.state.words = getWords((wanted as Language | undefined) ?? browsers ?? last);
}

/** The first middleware of payers' pages: their language, until it is known whose page it is. */
export const inLanguage: Handler = async (ctx, next) => {
  chooseWords(ctx, null, 'en');
  await next();
};

/** The same, and the browser keeps the language that an address names. */
export const keepingLanguage =
  (deps: Pick<ApiDependencies, 'trustedProxies'>): Handler =>
  async (ctx, next) => {
    const chosen = chosenIn(ctx);
    if (chosen)
      ctx.cookies.set(COOKIE, chosen, {
        httpOnly: true,
        sameSite: 'lax',
        secure: isHttps(ctx, deps.trustedProxies),
        maxAge: COOKIE_DAYS * DAY_MS,
        overwrite: true,
      });
    await inLanguage(ctx, next);
  };

/** Gives a page a workspace's logo, colour and language, unless the payer has chosen another language. */
export function showAs(ctx: ApiContext, branding: Branding, own: Language | null = null): Words {
  ctx.state.branding = branding;
  chooseWords(ctx, own, branding.locale);
  return wordsIn(ctx);
}

/** Links to the page in other languages; none on the response to a form. */
export function LanguageChoice({ ctx }: { ctx: ApiContext }) {
  const words = useWords();
  const offered = offeredIn(ctx);
  if (!ctx.state.words || ctx.method !== 'GET' || offered.length < 2) return null;
  const query = new URLSearchParams(ctx.querystring);
  const to = (language: Language): string => {
    query.set('lang', language);
    return `${ctx.path}?${query}`;
  };
  return (
    <nav class="languages" aria-label={words.say('payer.language')}>
      {offered
        .filter((language) => language !== words.language)
        .map((language) => (
          <a key={language} href={to(language)} lang={language} hreflang={language}>
            {LANGUAGE_NAMES[language]}
          </a>
        ))}
    </nav>
  );
}
