/** Makes a new secret of a webhook; the one before is valid beside it for a day. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapData } from '../../api/client';
import type { Webhook } from '../../api/postbacks';
import { Confirm } from '../../components/Confirm';
import { readMessage } from '../../components/ErrorBox';
import { useProject } from '../../session';
import { postbacks } from '../../texts/postbacks';
import { texts } from '../../texts';

const text = postbacks.webhooks;

export interface Made {
  readonly secret: string;
  readonly former_valid_until: string | null;
}

export function RotateButton({ webhook, onMade }: { webhook: Webhook; onMade: (made: Made) => void }) {
  const { id } = useProject();
  const [isAsked, setAsked] = useState(false);
  const rotate = useMutation({
    mutationFn: () =>
      unwrapData(
        api.POST('/admin/v1/projects/{id}/webhooks/{webhook}/rotate', {
          params: { path: { id, webhook: webhook.id } },
        }),
      ),
    onSuccess: (made) => {
      setAsked(false);
      onMade(made);
    },
  });
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => setAsked(true)}
        aria-label={postbacks.of(text.rotate, webhook.url)}
      >
        {text.rotate}
      </Button>
      <Confirm
        opened={isAsked}
        title={text.rotateTitle}
        text={text.rotateText}
        action={texts.makeIt}
        color="brand"
        loading={rotate.isPending}
        message={rotate.error ? readMessage(rotate.error) : undefined}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsked(false)}
      />
    </>
  );
}
