import { CreditNote } from './sdk.js';
import { assertOurDocument, documentIdentity, type Accounting } from '../accounting.js';
import { AccountingRefusal } from '../../failures.js';
import { acceptedElement, isNumberTaken, orNull, type XeroCall } from './client.js';
import { readCreditNote, toDocument } from './shapes.js';

/** Each credit note comes with its lines, so a page of a thousand, which Xero allows, would take too long. */
const PAGE_SIZE = 200;
/** Suppliers' credit notes share the endpoint and can have the numbers of ours. */
const SALES_ONLY = 'Type=="ACCRECCREDIT"';

/** Sales credit notes, which are created approved. */
export function createXeroCreditNotes(
  call: XeroCall,
): Pick<Accounting, 'findCreditNote' | 'readCreditNote' | 'listCreditNotes' | 'createCreditNote'> {
  async function list(workspaceId: string, filter: string, page: number): Promise<CreditNote[]> {
    const where = `${SALES_ONLY} AND ${filter}`;
    const { creditNotes = [] } = await call(workspaceId, (api, tenant) =>
      api.getCreditNotes(tenant, undefined, where, 'CreditNoteNumber ASC', page, undefined, PAGE_SIZE),
    );
    return creditNotes;
  }

  const findCreditNote: Accounting['findCreditNote'] = async (workspaceId, number) => {
    const found = (await list(workspaceId, `CreditNoteNumber=="${number}"`, 1)).map(readCreditNote);
    return found.find(({ status }) => status !== 'deleted') ?? found[0] ?? null;
  };

  return {
    findCreditNote,

    readCreditNote: (workspaceId, id) =>
      orNull(async () => {
        const { creditNotes } = await call(workspaceId, (api, tenant) => api.getCreditNote(tenant, id));
        const note = acceptedElement(creditNotes);
        if (note.type === CreditNote.TypeEnum.ACCRECCREDIT) return readCreditNote(note);
        throw new AccountingRefusal('not a sales credit note', `${id} is not a sales credit note.`);
      }),

    // There is no filter by several numbers or ids, so this lists all sales credit notes from a day on.
    async listCreditNotes(workspaceId, from, page) {
      const days = `Date>=DateTime(${from.split('-').map(Number).join(', ')})`;
      const notes = await list(workspaceId, days, page);
      return { notes: notes.map(readCreditNote), last: notes.length < PAGE_SIZE };
    },

    async createCreditNote(workspaceId, note, key) {
      const sent: CreditNote = {
        ...toDocument(note),
        type: CreditNote.TypeEnum.ACCRECCREDIT,
        creditNoteNumber: note.number,
        status: CreditNote.StatusEnum.AUTHORISED,
      };
      try {
        const { creditNotes } = await call(workspaceId, (api, tenant) =>
          api.createCreditNotes(tenant, { creditNotes: [sent] }, true, undefined, key),
        );
        return readCreditNote(acceptedElement(creditNotes));
      } catch (error) {
        const taken = isNumberTaken(error) ? await findCreditNote(workspaceId, note.number) : null;
        if (!taken) throw error;
        return assertOurDocument(taken, documentIdentity(note));
      }
    },
  };
}
