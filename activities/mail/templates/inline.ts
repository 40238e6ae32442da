import juice from 'juice/client';

// Text that people have written is not a template.
for (const language of Object.keys(juice.codeBlocks)) delete juice.codeBlocks[language];

/** Moves the rules of the style sheet into the elements of a document, except those of `@media`. */
export const inlined = (html: string): string => juice(html);
