/** Escapes text for HTML, attributes included. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Text paragraphs as HTML. */
export const paragraphs = (texts: string[]): string =>
  texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');

/** A link as a button. The layout gives every paragraph with nothing but a link this look, unless its class is `more`. */
export const button = (label: string, url: string): string =>
  `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;

/** Terms with their values, as a table. */
export const factsTable = (facts: readonly (readonly [term: string, value: string])[]): string =>
  `<table class="facts" role="presentation">${facts
    .map(([term, value]) => `<tr><td class="term">${escapeHtml(term)}</td><td>${escapeHtml(value)}</td></tr>`)
    .join('\n')}</table>`;

/** Terms with their values, as text. */
export const factsText = (facts: readonly (readonly [term: string, value: string])[]): string =>
  facts.map(([term, value]) => `${term}: ${value}`).join('\n');

/** The reason that a person gave for what a mail reports, if there is one, as a paragraph. */
export const reasonGiven = (reason: string | null): string[] =>
  reason ? [`Reason: ${reason.replace(/\s+/g, ' ').trim()}`] : [];
