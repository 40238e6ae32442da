const unescaped = (html: string): string =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const parseAttributes = (tag: string): Record<string, string> =>
  Object.fromEntries(
    [...tag.matchAll(/([\w-]+)(?:="([^"]*)")?/g)]
      .slice(1)
      .map(([, name, value]) => [name!, unescaped(value ?? '')]),
  );

const LONGEST = 20_000;

/**
 * A page's form with its values as a browser would submit them, with texts as long as it allows if `full`.
 */
export interface PageForm {
  action: string;
  toParams(full: boolean): URLSearchParams;
  /** The names of its text fields. */
  texts: string[];
}

/** The forms of a page that post. */
export function parseForms(html: string): PageForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/g)].flatMap(([, tag, content]) => {
    const { method, action } = parseAttributes(`form ${tag}`);
    if (method !== 'post' || !action) return [];
    return [{ action, toParams: (full: boolean) => fieldsIn(content!, full), texts: textsIn(content!) }];
  });
}

const textsIn = (form: string): string[] =>
  [...form.matchAll(/<(input|textarea)\b[^>]*>/g)].flatMap(([tag, element]) => {
    const { name, type = 'text' } = parseAttributes(tag);
    return name && (element === 'textarea' || type === 'text') ? [name] : [];
  });

function fieldsIn(form: string, full: boolean): URLSearchParams {
  const fields = new URLSearchParams();
  const long = (length: string | undefined): string => 'é'.repeat(Math.min(Number(length) || 200, LONGEST));
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const { name, type = 'text', value = '', maxlength, pattern, inputmode, ...rest } = parseAttributes(tag);
    if (!name || type === 'file') continue;
    if (type === 'checkbox' || type === 'radio') {
      if ('checked' in rest || (full && type === 'checkbox')) fields.append(name, value || 'on');
    } else if (full && type === 'text' && !pattern && !inputmode && maxlength)
      fields.append(name, long(maxlength));
    else if (type === 'email' && 'required' in rest && !value) fields.append(name, 'ada@example.com');
    else if (type === 'number' && 'required' in rest && !value) fields.append(name, '1');
    else fields.append(name, value);
  }
  for (const [, tag, value] of form.matchAll(/<textarea\b([^>]*)>([^]*?)<\/textarea>/g)) {
    const { name, maxlength } = parseAttributes(`textarea ${tag}`);
    if (name) fields.append(name, full ? long(maxlength) : unescaped(value!));
  }
  for (const [, tag, options] of form.matchAll(/<select\b([^>]*)>([^]*?)<\/select>/g)) {
    const { name, ...rest } = parseAttributes(`select ${tag}`);
    const values = [...options!.matchAll(/<option\b([^>]*)>/g)].map(([, option]) =>
      parseAttributes(`option ${option}`),
    );
    const chosen =
      'multiple' in rest && full ? values : [values.find((each) => 'selected' in each) ?? values[0]];
    if (name) for (const each of chosen) if (each) fields.append(name, each.value ?? '');
  }
  return fields;
}
