export interface AccountState {
  charges_enabled: boolean;
  /**
   * When the processor will restrict it unless its operator has submitted what is required; null if nothing
   * is due.
   */
  due_by: Date | null;
  /** Why it is restricted, as the processor's code; null if it is not. */
  problem: string | null;
}

export interface AccountCalls {
  /** Returns what a connected account can do now. */
  lookUpAccount(accountId: string): Promise<AccountState>;
  /**
   * Creates a connected account for a workspace. `instead_of` is the revoked account that it replaces, or
   * null.
   */
  createAccount(request: { workspace_id: string; instead_of: string | null }): Promise<{ id: string }>;
  createAccountLink(link: {
    account_id: string;
    return_url: string;
    refresh_url: string;
  }): Promise<{ url: string }>;
}
