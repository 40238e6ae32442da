/** The languages of everything that payers see (docs/rules/languages.md). */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

export const isLanguage = (value: unknown): value is Language => LANGUAGES.includes(value as Language);

/**
 * The language that a browser prefers most among those `offered`: `de-AT,fr;q=0.8` → `de`; null if none
 * is offered.
 */
export function preferredLanguage(acceptLanguage: string, offered: readonly Language[]): Language | null {
  const wanted = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().split(';');
      const weight = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean);
      return {
        language: tag.split('-')[0]!.toLowerCase(),
        weight: weight === undefined ? 1 : Number(weight),
      };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  return wanted.map(({ language }) => offered.find((each) => each === language)).find(Boolean) ?? null;
}
