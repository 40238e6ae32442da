import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Can I email: what mail programs support. https://www.caniemail.com */
const FEATURES: Feature[] = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('caniemail/caniemail.json'), 'utf8'),
).data;

interface Feature {
  slug: string;
  /**
   * By family, platform and version, oldest first: `y`, `n`, `u`, or `a #1` for partial support as in note 1.
   */
  stats: Record<string, Record<string, Record<string, string>>>;
  notes_by_num: Record<string, string> | null;
}

/** The mail programs with the least support that many people use. */
const CLIENTS = {
  /** The app, with an account that is not Google's. It reads no style sheet. */
  gmail: ['gmail', 'android'],
  /** The web mail and the new program. */
  'outlook-com': ['outlook', 'outlook-com'],
  /** The classic program, which renders with Word. */
  outlook: ['outlook', 'windows'],
} as const;

export type MailClient = keyof typeof CLIENTS;

/** Features missing from the data: supported everywhere, or only in the program that they are named after. */
const UNTOLD = ['color', 'supported-color-schemes', 'mso-padding-alt'];

function findFeature(property: string): Feature | undefined {
  const feature = FEATURES.find(({ slug }) => slug === `css-${property}`);
  const shorthand = property.replace(/-[a-z]+$/, '');
  return feature ?? (shorthand === property ? undefined : findFeature(shorthand));
}

/** Whether a program supports a feature on an element, in its newest version. */
function supports(client: MailClient, { stats, notes_by_num }: Feature, tag: string): boolean {
  const [family, platform] = CLIENTS[client];
  const newest = Object.values(stats[family]?.[platform] ?? {}).at(-1) ?? 'u';
  if (!newest.startsWith('a')) return !newest.startsWith('n');
  const notes = [...newest.matchAll(/#(\d+)/g)].map(([, n]) => notes_by_num?.[n!] ?? '');
  return notes.every((note) => {
    const tags = [...note.matchAll(/<(\w+)>/g)].map(([, each]) => each);
    if (/Only supports `display:none`|^Partial\. Not supported with non Google/.test(note)) return false;
    if (/Only (works|supported) on table cells/.test(note)) return tag === 'td';
    if (/Only (works|supported) on/.test(note)) return tags.includes(tag);
    return !/Not supported on/.test(note) || !tags.includes(tag);
  });
}

/** A mail without the styles that a program ignores. */
export function seenBy(client: MailClient, html: string): string {
  const slugs = ['html-style', 'css-at-media'];
  const reads = FEATURES.filter(({ slug }) => slugs.includes(slug)).every((each) =>
    supports(client, each, 'style'),
  );
  const sheets = reads ? html : html.replaceAll(/<style>[^]*?<\/style>/g, '');
  return sheets.replaceAll(
    /<(\w+)([^>]*?) style="([^"]*)"/g,
    (_, tag: string, other: string, style: string) => {
      const kept = style.split(';').filter((declaration) => {
        const property = declaration.split(':')[0]!.trim();
        if (property === '') return false;
        const feature = findFeature(property);
        if (!feature && !UNTOLD.includes(property)) throw new Error(`nothing is known of ${property}`);
        return !feature || supports(client, feature, tag);
      });
      const shown =
        client === 'outlook' ? kept.join(';').replace('mso-padding-alt', 'padding') : kept.join(';');
      return `<${tag}${other} style="${shown}"`;
    },
  );
}
