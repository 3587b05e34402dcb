/** Away from all that belongs to a user: the page is loaded anew, so that nothing of it stays in memory. */
export function leave(): void {
  window.location.assign('/sign-in');
}
