/** Escapes text for HTML, attributes included. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Text paragraphs as HTML. */
export const paragraphs = (texts: string[]): string =>
  texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
