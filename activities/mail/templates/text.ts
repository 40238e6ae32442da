import { isValidElement, toChildArray, type ComponentChildren, type VNode } from 'preact';
import { Only } from './parts.js';

type Element = VNode<{ children: ComponentChildren; href: string; in: string }>;

/** The elements and texts of a tree, with its components written out. */
function partsOf(tree: ComponentChildren): (string | Element)[] {
  return toChildArray(tree).flatMap((node) => {
    if (!isValidElement(node)) return [String(node)];
    const { type, props } = node as Element;
    if (typeof type === 'string') return [node as Element];
    if (type === Only) return props.in === 'text' ? partsOf(props.children) : [];
    return partsOf((type as (props: Element['props']) => ComponentChildren)(props));
  });
}

/** A link as `label: address`; an address that is its own label once. */
function linkOf({ href, children }: { href: string; children: ComponentChildren }): string {
  const label = lineOf(children);
  return href === `mailto:${label}` ? label : `${label}: ${href}`;
}

/** The text within a paragraph or cell. */
const lineOf = (tree: ComponentChildren): string =>
  partsOf(tree)
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.type === 'br') return '\n';
      return part.type === 'a' ? linkOf(part.props) : lineOf(part.props.children);
    })
    .join('');

/** A mail as plain text: its paragraphs and quotations with an empty line between them. */
export const textOf = (tree: ComponentChildren): string =>
  partsOf(tree)
    .map((part) => {
      if (typeof part === 'string') return part;
      const { children } = part.props;
      return part.type === 'blockquote' ? lineOf(children).replaceAll(/^/gm, '> ') : lineOf(children);
    })
    .join('\n\n');
