import { factsOfPrice, type ShownPrice } from '../../../domain/rates/price-words.js';
import { ENGLISH } from '../../../domain/words/words.js';

/** The lines of a price, if it has several. `amount`: in its currency. */
export function PriceLines({ of, amount }: { of: ShownPrice; amount: (minor: number) => string }) {
  const facts = factsOfPrice(ENGLISH, of, amount);
  if (facts.length === 0) return null;
  return (
    <dl class="facts price">
      {facts.map(([term, value]) => (
        <>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
