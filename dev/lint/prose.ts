import { refuse, textsIn, type Rule } from './rule.js';

/** Phrases that a native engineer would not write, and what to write instead. */
const PHRASES: readonly [phrase: RegExp, instead: string][] = [
  [/\bat the dashboard\b/g, 'in the dashboard'],
  [/\bfor good\b/g, 'permanently'],
  [/\b(?:tells?|told) of\b/g, 'reports'],
  [/\bpeople read\b/g, 'users see'],
  [/\bleads? there\b/g, 'opens it'],
  [/\bknows? each other\b/g, 'authenticate each other'],
  [/\b[Aa]nother one (?:ends|replaces)\b/g, 'a new one replaces'],
  [/\bha(?:s|ve) become of\b/g, 'the outcome of'],
  [/\bbeside (?:it|them|that|those)\b/g, 'next to, or in addition to'],
  [/\b(?:that|which) is none\b/g, 'that is not a …'],
  [/\basks? the processor\b/g, 'calls the processor'],
  [/\bWho (?:may|does|reads)\b/g, 'Only … can, or Anyone who'],
  [/\bweb sites?\b/gi, 'website'],
  [/\bmail addresses?\b/g, 'email address'],
  [/\bmended\b/gi, 'fixed'],
  [/(?<!holdfast:)\bpay links?\b/gi, 'payment link'],
  [/\breservation holds?\b/gi, 'hold'],
];

const PROSE =
  /^(?!package-lock|CONTRIBUTING|db\/migrations\/|docs\/api\/|test\/histories\/|dev\/lint\/prose\.ts).*\.(md|tsx?|sql|json|sh|ya?ml)$/;

/** A phrase, also where a line ends within it, in a comment too. */
const wrapped = ({ source, flags }: RegExp): RegExp =>
  new RegExp(source.replaceAll(' ', String.raw`\s+(?:(?:\*|//|--|#)\s+)?`), flags);

/** English that nobody speaks; CONTRIBUTING.md#style has the rest. */
export const prose: Rule = {
  name: 'phrases',
  check: refuse(
    PROSE,
    ...PHRASES.map(([phrase, instead]) => [wrapped(phrase), `write "${instead}"`] as const),
  ),
  refused: textsIn('README.md', [
    'Change it at the dashboard.',
    'The mail tells of it.',
    'Another one ends the previous address.',
    'Who may not see it asks an admin.',
    'The key of a web site',
    '/**\n * A change at the\n * dashboard\n */',
  ]),
  accepted: textsIn('README.md', ['Change it in the dashboard.', 'A new address replaces the previous one.']),
};
