import { isValidElement, toChildArray, type ComponentChildren, type VNode } from 'preact';
import { OnlyIn } from './parts.js';

type Element = VNode<{ children: ComponentChildren; href: string; in: string }>;

/** Returns the elements and texts of a tree, with its components resolved. */
function flattenTree(tree: ComponentChildren): (string | Element)[] {
  return toChildArray(tree).flatMap((node) => {
    if (!isValidElement(node)) return [String(node)];
    const { type, props } = node as Element;
    if (typeof type === 'string') return [node as Element];
    if (type === OnlyIn) return props.in === 'text' ? flattenTree(props.children) : [];
    return flattenTree((type as (props: Element['props']) => ComponentChildren)(props));
  });
}

/** A link as `label: address`, or only the address if the label is the same. */
function linkText({ href, children }: { href: string; children: ComponentChildren }): string {
  const label = inlineText(children);
  return href === `mailto:${label}` ? label : `${label}: ${href}`;
}

/** Writes the text within a paragraph or cell. */
const inlineText = (tree: ComponentChildren): string =>
  flattenTree(tree)
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.type === 'br') return '\n';
      return part.type === 'a' ? linkText(part.props) : inlineText(part.props.children);
    })
    .join('');

/** A mail as plain text: its paragraphs and quotations, separated by empty lines. */
export const renderText = (tree: ComponentChildren): string =>
  flattenTree(tree)
    .map((part) => {
      if (typeof part === 'string') return part;
      const { children } = part.props;
      return part.type === 'blockquote' ? inlineText(children).replaceAll(/^/gm, '> ') : inlineText(children);
    })
    .join('\n\n');
