import type { Connection } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';
import type { NativeConnection } from '@temporalio/worker';
import { searchAttributes } from '../workflows/contract.js';

/** Registers our search attributes in the namespace and waits until the server knows them. Throws after 10 s. */
export async function ensureSearchAttributes(
  { operatorService }: Pick<Connection | NativeConnection, 'operatorService'>,
  namespace: string,
): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    const missing = Object.values(searchAttributes).filter((key) => !(key.name in customAttributes));
    if (missing.length === 0) return;
    await operatorService
      .addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(
          missing.map((key) => [key.name, encodeSearchAttributeIndexedValueType(key.type)!]),
        ),
      })
      .catch(() => undefined); // another worker may be registering them: look again
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The Temporal server does not accept our search attributes (BookingStatus and others).');
}
