import test from 'ava';
import {
  contrastRatio,
  lightenForContrast,
  MIN_CONTRAST,
  applyAccent,
} from '../../../domain/workspaces/colour.js';

test('contrast is calculated as WCAG defines it', (t) => {
  t.is(contrastRatio('#000000', '#ffffff'), 21);
  t.is(contrastRatio('#ffffff', '#ffffff'), 1);
  t.is(contrastRatio('#777777', '#ffffff').toFixed(2), '4.48');
  t.is(contrastRatio('#ffffff', '#767676').toFixed(2), '4.54');
});

test('a lightened colour is readable on a dark card, and a light one stays as it is', (t) => {
  for (const colour of ['#000000', '#1e5f7f', '#7a0019', '#0b5d3b', '#00008b', '#767676'])
    t.true(contrastRatio(lightenForContrast(colour), '#1f2428') >= MIN_CONTRAST, colour);
  t.is(lightenForContrast('#7fc4e6'), '#7fc4e6');
});

test('a style sheet gets the accent in light and in dark', (t) => {
  const css = 'a { color: #1e5f7f } @media dark { a { color: #7fc4e6 } }';
  t.is(applyAccent(css, null), css);
  t.regex(applyAccent(css, '#7a0019'), /color: #7a0019 .*color: #(?!7fc4e6)[0-9a-f]{6}/);
});
