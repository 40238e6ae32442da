import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const WIDTHS = [390, 1280] as const;
export const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

export interface GalleryOptions {
  /** Only pages whose route or state contains one of these. All if empty. */
  only: string[];
  widths: number[];
  schemes: Scheme[];
  /** Whether pictures are taken. */
  pictures: boolean;
  /** Folder for pictures and the page that shows them. */
  out: string;
  /** The stack of `npm start` instead of its own. */
  running: boolean;
}

/** Reads the options of `npm run gallery`. Errors: a scheme or a width that is not one. */
export function readOptions(args = process.argv.slice(2)): GalleryOptions {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      width: { type: 'string', multiple: true, default: WIDTHS.map(String) },
      scheme: { type: 'string', multiple: true, default: [...SCHEMES] },
      'checks-only': { type: 'boolean', default: false },
      out: { type: 'string', default: join(tmpdir(), 'holdfast-gallery') },
      running: { type: 'boolean', default: false },
    },
  });
  const widths = values.width.map(Number);
  const schemes = values.scheme.filter((each): each is Scheme => SCHEMES.includes(each as Scheme));
  if (widths.some((width) => !(width >= 200))) throw new Error('--width is a number of pixels, 200 or more');
  if (schemes.length < values.scheme.length) throw new Error(`--scheme is ${SCHEMES.join(' or ')}`);
  const { only, out, running } = values;
  return { only, widths, schemes, pictures: !values['checks-only'], out: resolve(out), running };
}
