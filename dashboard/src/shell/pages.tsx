/** What stands in the place of a page that does not exist, or that failed. */
import { useIsDown } from '../api/connection';
import { Anchor, Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { ErrorBox } from '../components/ErrorBox';
import { texts } from '../texts';

export function MissingPage() {
  return (
    <Container size="sm" py={64}>
      <Stack gap="xs">
        <Title order={1}>{texts.errors.notFoundTitle}</Title>
        <Text c="dimmed">{texts.errors.notFound}</Text>
        <Anchor component={Link} to="/">
          {texts.errors.home}
        </Anchor>
      </Stack>
    </Container>
  );
}

/** Outside the frame of the pages, at an address that nothing has. */
export const NowhereAtAll = () => (
  <main>
    <MissingPage />
  </main>
);

/** A part of the page that is gone from the server: a new version was installed since. */
const isOldVersion = (error: unknown) =>
  error instanceof TypeError && /dynamically imported module|Importing a module/i.test(error.message);

export function CrashPage({ error, reset }: ErrorComponentProps) {
  // What cannot be loaded now is loaded once the service is back; the banner says so.
  if (useIsDown()) return null;
  return (
    <Container size="sm" py={64}>
      {isOldVersion(error) ? (
        <Group>
          <Text>{texts.errors.newVersion}</Text>
          <Button onClick={() => window.location.reload()}>{texts.errors.reload}</Button>
        </Group>
      ) : (
        <ErrorBox error={error} onRetry={reset} />
      )}
    </Container>
  );
}
