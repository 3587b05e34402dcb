/** Texts of the page of a value. */
export const value = {
  quality: 'Traffic quality',
  missing: 'Nothing is chosen',
  missingText: 'This address names no value. Choose one from a list of figures.',
  empty: 'Nothing in this period',
  emptyText: 'Choose other days.',
  figures: 'Figures',
  parts: 'What it consists of',
  by: 'By',
  explore: 'Open in Explore',
  retention: 'Retention',
};
