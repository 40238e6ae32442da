import {
  GUEST_HOLD_SECONDS,
  termsPath,
  type PageTerms,
  type PageTheme,
  type Question,
} from './booking-page.js';
import { LANGUAGES, type Language } from '../words/languages.js';

/** The stored page; null for a workspace that has not set one up. */
interface PageFacts {
  slug: string;
  enabled: boolean;
  room_ids: string[] | null;
  embed_origins: string[];
  questions: Question[];
  terms: PageTerms | null;
  theme: PageTheme;
  languages: Language[];
  guest_hold_seconds: number;
  notice: string | null;
}

/** The kind of terms, their version, and their URL. `url`: that of the booking page. */
export const presentTerms = (terms: PageTerms, url: string) => ({
  kind: terms.kind ?? ('url' as const),
  url: terms.kind ? url + termsPath(terms.version) : terms.url,
  version: terms.version,
});

/** The URL of the booking page with an address. */
export const bookingPageUrl = (publicUrl: string, slug: string): string => `${publicUrl}/book/${slug}`;

/**
 * The booking page as the API returns it (docs/rules/booking-page.md). `publicUrl`: the base URL of the
 * service.
 */
export function presentBookingPage(page: PageFacts | null, publicUrl: string) {
  const url = page && bookingPageUrl(publicUrl, page.slug);
  return {
    slug: page?.slug ?? null,
    url,
    enabled: page?.enabled ?? false,
    room_ids: page?.room_ids ?? null,
    embed_origins: page?.embed_origins ?? [],
    questions: page?.questions ?? [],
    terms: page?.terms ? presentTerms(page.terms, url!) : null,
    theme: page?.theme ?? { accent: null, logo_url: null },
    languages: page?.languages ?? [...LANGUAGES],
    guest_hold_seconds: page?.guest_hold_seconds ?? GUEST_HOLD_SECONDS,
    notice: page?.notice ?? null,
  };
}
