import { readFileSync } from 'node:fs';
import type { ComponentChildren } from 'preact';
import type { ApiContext, Branding } from '../../api/http/context.js';
import { imageOrigin, isShownImage } from '../../domain/image-url.js';
import { Mark } from './brand.js';
import { readStyles, sendDocument } from './document.js';
import { Icon } from './icons.js';
import { PICTURE_TONES } from './tones.js';
import { WordsProvider, LanguageChoice, wordsIn } from './language.js';

const CSS = readStyles('ui/styles/card');
const WIDE = ['wide', 'room-cards', 'summary', 'free-times'].map((name) => `ui/styles/${name}`);
const WIDE_CSS = CSS + readStyles(...WIDE) + PICTURE_TONES;

interface PageProps {
  title: string;
  mark?: 'good' | 'waiting' | 'bad';
  /** Wider than a single card: for choosing among several things. Its children have cards of their own. */
  wide?: boolean;
  /** The page before it. */
  back?: { href: string; label: string };
  /** Left out in a frame, where the site around it says it. */
  isTitleOfSite?: boolean;
  /** How often, in seconds, the page checks for changes until it shows a final state. */
  refresh?: number;
  /** The address that the browser goes to immediately. */
  goTo?: string;
  /** Other origins that the page's forms may redirect to. */
  formTargets?: string[];
  /** Replaces the script that looks for changes. */
  script?: string;
  /** The script may fetch pages of this origin. */
  fetches?: boolean;
  /** Other origins that the page shows images of, besides that of the logo. */
  images?: string[];
  children?: ComponentChildren;
}

/**
 * Fetches the page again and shows what has changed, until it no longer waits. Unlike a reload this keeps the
 * focus, and a screen reader says only what is new.
 */
const UPDATE = readFileSync(new URL('./update.js', import.meta.url), 'utf8');

/** Tells the site that shows a page in a frame how high it is. */
const FRAMED = readFileSync(new URL('./framed.js', import.meta.url), 'utf8');

const MARKS = { good: '✓', waiting: '…', bad: '!' };

/** Whose page it is: the workspace's logo or name, else the product's. */
function Wordmark({ branding, logo }: { branding: Branding | undefined; logo: string | null }) {
  return (
    <header class="wordmark">
      {branding ? (
        <p class="branding">{logo ? <img src={logo} alt={branding.name} height="40" /> : branding.name}</p>
      ) : (
        <>
          <Mark /> Holdfast
        </>
      )}
    </header>
  );
}

/**
 * Sends a page with a single card, or with several if it is wide; one for a workspace's payers with its logo
 * or name, and in its colour. In a frame, the site around it has said whose page it is.
 */
export function showPage(ctx: ApiContext, status: number, props: PageProps): void {
  const { title, mark, refresh, goTo, formTargets, script, fetches, images = [], children } = props;
  const { wide, back, isTitleOfSite } = props;
  const { branding, framedBy, frameScheme } = ctx.state;
  const words = wordsIn(ctx);
  const logo = branding?.logo_url && isShownImage(branding.logo_url) ? branding.logo_url : null;
  const origin = logo && imageOrigin(logo);
  sendDocument(ctx, status, {
    title,
    language: words.language,
    css: wide ? WIDE_CSS : CSS,
    accent: branding?.accent_color,
    images: [...(origin ? [origin] : []), ...images],
    script: (framedBy?.length ? FRAMED : '') + ((refresh ? UPDATE : script) ?? ''),
    fetches: fetches || refresh !== undefined,
    goTo,
    formTargets,
    framedBy,
    frameScheme,
    children: (
      <WordsProvider value={words}>
        {!frameScheme && <Wordmark branding={branding} logo={logo} />}
        <main class={wide ? 'wide' : 'card'} data-waits={refresh} aria-live={refresh ? 'polite' : undefined}>
          {back && (
            <a class="back" href={back.href}>
              <Icon name="previous" /> {back.label}
            </a>
          )}
          {mark && (
            <div class={`mark ${mark}`} aria-hidden="true">
              {MARKS[mark]}
            </div>
          )}
          <h1 class={frameScheme && isTitleOfSite ? 'hidden' : undefined}>{title}</h1>
          {children}
          {refresh && (
            <noscript>
              <p>
                <a href="">{words.say('payer.check_again')}</a>
              </p>
            </noscript>
          )}
        </main>
        {status < 400 && <LanguageChoice ctx={ctx} />}
        {branding && !frameScheme && (
          <footer>
            <Mark size={16} /> {words.say('payer.bookings_by')}
          </footer>
        )}
      </WordsProvider>
    ),
  });
}
