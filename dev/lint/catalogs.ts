import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { LANGUAGES } from '../../domain/words/languages.js';
import { CATALOGS, type WordKey } from '../../domain/words/words.js';
import { differences, unless, type Rule } from './rule.js';

/** A message's names and tags, and the branches of its plurals, which must be the same in every language. */
function messageParts(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element): string[] => {
    switch (element.type) {
      case TYPE.argument:
        return [`{${element.value}}`];
      case TYPE.tag:
        return [`<${element.value}>`, ...messageParts(element.children)];
      case TYPE.plural:
        return [
          `{${element.value}, plural}`,
          ...Object.values(element.options).flatMap(({ value }) => messageParts(value)),
        ];
      default:
        return [];
    }
  });
}

const unique = (message: string): string[] => [...new Set(messageParts(parse(message)))];
const wordCount = (text: string): number =>
  text.replaceAll(/[{<][^}>]*[}>]/g, '').match(/\p{L}{2,}/gu)?.length ?? 0;

/** Every language has every message, with the same names and tags, and only English has English messages. */
export const catalogs: Rule = {
  name: 'message catalogs',
  *check() {
    const { en } = CATALOGS;
    for (const language of LANGUAGES) {
      const catalog = CATALOGS[language];
      yield* differences(language, Object.keys(catalog), Object.keys(en));
      for (const [key, text] of Object.entries(catalog) as [WordKey, string][]) {
        const where = `domain/words/${language}: ${key}`;
        yield* differences(where, unique(text), unique(en[key] ?? ''));
        yield* unless(text.trim() !== '' && !text.includes('  '), `${where} is empty or has two spaces`);
        yield* unless(
          !text.includes("'"),
          `${where} has a straight apostrophe, which quotes in ICU messages`,
        );
        if (language !== 'en' && wordCount(en[key]) > 2)
          yield* unless(text !== en[key], `${where} is the English sentence`);
      }
    }
  },
};
