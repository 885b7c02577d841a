import { Box, chakra } from "@chakra-ui/react";
import { useId, useState } from "react";
import { MAX_TOKEN_NAME, TokenScope } from "../../../../common/token-calls.ts";
import type { CreateToken } from "../../../../common/token-calls.ts";
import { Input } from "../../components/Input.tsx";
import { useTokenTexts } from "../../texts/tokens/index.ts";
import { NewSecretForm } from "../secrets/NewSecretForm.tsx";

interface NewTokenProps {
  readonly onCreate: (input: CreateToken) => Promise<boolean>;
  readonly onClose: () => void;
}

function ScopeField({ scope, isChosen, onChange }: { scope: TokenScope; isChosen: boolean; onChange: () => void }) {
  const { name, text } = useTokenTexts().scopes[scope];
  return (
    <chakra.label display="flex" gap="2.5" alignItems="baseline" py="2" cursor="pointer">
      <chakra.input type="checkbox" accentColor="accent.text" checked={isChosen} onChange={onChange} />
      <span>
        <b>{name}</b> – {text}
      </span>
    </chakra.label>
  );
}

/** The form for a new token. */
export function NewToken({ onCreate, onClose }: NewTokenProps) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly TokenScope[]>(TokenScope.options);
  const id = useId();
  const texts = useTokenTexts();

  const toggle = (scope: TokenScope): void =>
    setScopes(TokenScope.options.filter((one) => scopes.includes(one) !== (one === scope)));

  return (
    <NewSecretForm
      texts={texts}
      isReady={name.trim() !== "" && scopes.length > 0}
      onCreate={() => onCreate({ name: name.trim(), scopes: [...scopes] })}
      onClose={onClose}
    >
      <chakra.label htmlFor={id} display="block" mb="2" fontWeight={600}>
        {texts.name}
      </chakra.label>
      <Input
        id={id}
        autoFocus
        autoComplete="off"
        value={name}
        maxLength={MAX_TOKEN_NAME}
        placeholder={texts.nameExample}
        onChange={(event) => setName(event.target.value)}
        maxW="24rem"
      />
      <Box as="fieldset" my="3">
        <Box as="legend" fontWeight={600}>
          {texts.mayDo}
        </Box>
        {TokenScope.options.map((scope) => (
          <ScopeField key={scope} scope={scope} isChosen={scopes.includes(scope)} onChange={() => toggle(scope)} />
        ))}
      </Box>
    </NewSecretForm>
  );
}
