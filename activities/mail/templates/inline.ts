/** What writes style sheets into elements, loaded with the first mail: a start does not wait for it. */
async function load() {
  const { default: juice } = await import('juice/client');
  // What people have written is no template.
  for (const language of Object.keys(juice.codeBlocks)) delete juice.codeBlocks[language];
  return juice;
}

let loading: ReturnType<typeof load> | undefined;

/** A document with the rules of its style sheet written into its elements; those of `@media` stay in it. */
export async function inlined(html: string): Promise<string> {
  const juice = await (loading ??= load());
  return juice(html);
}
