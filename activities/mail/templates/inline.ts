import juice from 'juice/client';

// What people have written is no template.
for (const language of Object.keys(juice.codeBlocks)) delete juice.codeBlocks[language];

/** A document with the rules of its style sheet written into its elements; those of `@media` stay in it. */
export const inlined = (html: string): string => juice(html);
