import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import {
  companyOf,
  removeCompanyCard,
  setUpCard,
  update,
} from '../../../api/resources/companies/handlers.js';
import { updateSchema } from '../../../api/resources/companies/shape.js';
import { statementForm } from '../payers/statement-form.js';
import { payerForms } from '../payers/payer-forms.js';
import { proven, type Section } from '../shared/section.js';
import {
  changesBillingAddress,
  companiesQuery,
  companyFields,
  createCompanyForm,
  showCompanies,
  updateCompanyForm,
} from './companies.js';
import { showCompany } from './company.js';

const toCompany = (ctx: ApiContext): string => `/companies/${ctx.params.id}`;

async function findCompanyPayer(ctx: ApiContext, deps: ApiDependencies) {
  const { id: company_id, billing_email: email } = await companyOf(ctx, deps);
  return { of: { company_id, member_id: null }, email };
}

export const companies: Section = [
  {
    path: '/companies',
    capability: 'read_payers',
    query: companiesQuery,
    show: showCompanies,
    forms: [['', companyFields, createCompanyForm, 'write_companies']],
  },
  {
    path: '/companies/:id',
    capability: 'read_payers',
    show: showCompany,
    forms: [
      ['', companyFields, proven(updateCompanyForm, { when: changesBillingAddress }), 'write_companies'],
      ...payerForms({
        update,
        schema: updateSchema,
        setUpCard,
        removeCard: removeCompanyCard,
        ownCard: 'write_billing',
        to: toCompany,
      }),
      statementForm(findCompanyPayer, toCompany, 'read_billing'),
    ],
  },
];
